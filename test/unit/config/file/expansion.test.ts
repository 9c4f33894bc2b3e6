import { describe, expect, it } from 'vitest';
import { expand, referencedVariable } from '../../../../src/config/file/expansion.ts';

/** Readable in a text without escapes, unlike a dollar sign before a brace. */
function dollars(text: string): string {
  return text.replaceAll('§', '$');
}

describe('a reference to an environment variable', () => {
  const environment = { NAME: dollars('a§{b}§'), _x1: '', other: 'c' };

  it.each([
    ['none', 'none', []],
    ['§{NAME}', 'a§{b}§', ['NAME']],
    ['<§{_x1}|§{other}>', '<|c>', ['_x1', 'other']],
    ['§§{NAME}', '§{NAME}', []],
    ['§NAME § {NAME}', '§NAME § {NAME}', []],
  ])('in %j gives %j', (text, expanded, variables) => {
    expect(expand(dollars(text), environment)).toEqual({ text: dollars(expanded), variables, problems: [] });
  });

  it.each(['§{}', '§{1a}', '§{a-b}', '§{NAME', '§{ NAME}', '§{NAMÉ}'])('cannot be written as %j', (text) => {
    expect(expand(dollars(text), environment)).toEqual({
      text: '',
      variables: [],
      problems: [
        dollars(
          'contains §{ without a variable name and a closing }; write §{NAME} for a variable, or §§{ for the characters §{',
        ),
      ],
    });
  });

  it('must refer to a variable that is set', () => {
    expect(expand(dollars('a§{MISSING}b'), environment)).toEqual({
      text: 'ab',
      variables: ['MISSING'],
      problems: ['uses the environment variable MISSING, which is not set; set it'],
    });
  });

  it('must refer to a variable of UTF-8 text', () => {
    // Node.js replaces other bytes by this character.
    expect(expand(dollars('§{LATIN}'), { LATIN: 'gr\ufffdn' }).problems).toEqual([
      'uses the environment variable LATIN, which is not UTF-8 text; set it to UTF-8 text',
    ]);
  });

  it.each([
    ['§{NAME}', 'NAME'],
    ['§{NAME} ', undefined],
    ['x§{NAME}', undefined],
    ['§{1}', undefined],
    ['§{A}§{B}', undefined],
    ['NAME', undefined],
  ])('is the whole text %j: %s', (text, name) => {
    expect(referencedVariable(dollars(text))).toBe(name);
  });
});
