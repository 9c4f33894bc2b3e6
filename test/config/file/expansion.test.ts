import { expect, it } from 'vitest';
import { expand, referencedVariable } from '../../../src/config/file/environment.ts';

/** Readable in a text without escapes, unlike a dollar sign before a brace. */
function dollars(text: string): string {
  return text.replaceAll('§', '$');
}

function expanded(text: string, environment: Readonly<Record<string, string>>) {
  const used = new Set<string>();
  const expansion = expand(dollars(text), environment, used);
  return { ...expansion, variables: [...used] };
}

const environment = { NAME: dollars('a§{b}§'), _x1: '', other: 'c' };

it.each([
  ['none', 'none', []],
  ['§{NAME}', 'a§{b}§', ['NAME']],
  ['<§{_x1}|§{other}>', '<|c>', ['_x1', 'other']],
  ['§§{NAME}', '§{NAME}', []],
  ['§NAME § {NAME}', '§NAME § {NAME}', []],
])('a reference in %j gives %j', (text, result, variables) => {
  expect(expanded(text, environment)).toEqual({ text: dollars(result), variables, problems: [] });
});

it.each(['§{}', '§{1a}', '§{a-b}', '§{NAME', '§{ NAME}', '§{NAMÉ}'])('a reference cannot be written as %j', (text) => {
  expect(expanded(text, environment)).toEqual({
    text: '',
    variables: [],
    problems: [
      dollars(
        'contains §{ without a variable name and a closing }; write §{NAME} for a variable, or §§{ for the characters §{',
      ),
    ],
  });
});

it('a reference must refer to a variable that is set', () => {
  expect(expanded('a§{MISSING}b', environment)).toEqual({
    text: 'ab',
    variables: ['MISSING'],
    problems: ['uses the environment variable MISSING, which is not set; set it'],
  });
});

it.each([
  ['§{NAME}', 'NAME'],
  ['§{NAME} ', undefined],
  ['x§{NAME}', undefined],
  ['§{1}', undefined],
  ['§{A}§{B}', undefined],
  ['NAME', undefined],
])('a reference is the whole text %j: %s', (text, name) => {
  expect(referencedVariable(dollars(text))).toBe(name);
});
