import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Anonymizer } from '../../../src/cli/check/anonymize.ts';
import { anyText } from '../../fixtures/properties.ts';

/** The anonymized value, and the fields that are unknown. */
function anonymized(value: unknown, shift = 0) {
  const anonymizer = new Anonymizer(shift);
  const recorded = JSON.stringify(anonymizer.anonymize(value));
  return { value: JSON.parse(recorded), unknown: [...anonymizer.unknownFields] };
}

describe('what the documentation names', () => {
  it.each([
    [
      {
        disk_usage: '18,7 ГБ',
        disk_limit: 'unlimited',
        plan_site: 2_147_483_647,
        user_balance: -12.5,
        cp: '195.257188',
      },
    ],
    [{ date_expire: '2027-06-23', date_add: '2021-06-08 02:15:36', date_register: null }],
    [{ date_expire: 0, date: '0000-00-00' }],
    [{ days: [{ value: '0.35', date: '2026-10-25' }], hours: [], size_days: [{ size: '229512', date: '2026-10-25' }] }],
    [{ minutes: '*/10', hours: '1,2', days: '1-5', months: '*', weekdays: '*', is_hidden: 0 }],
    [
      {
        registrar: 'beget',
        registrar_status: 'delegated',
        register_order_status: 'FINISH',
        renew_order_status: 'error',
      },
    ],
    [{ ssl: true, ssl_status: 'wle_set', nginx_template: 'default', php_version: '8.2', allowed_versions: ['5.6'] }],
    [
      {
        server_apache_version: ' Apache/2.2.23 (Unix)',
        server_mysql_version: '5.7.21-20-beget',
        user_days_to_block: 3,
      },
    ],
    [{ status: 'error', error_code: 'AUTH_ERROR', error_text: 'Username/password incorrect' }],
    [{ answer: { status: 'error', errors: [{ error_code: 1208, error_text: 'Cannot access method mysql' }] } }],
    [{ error_text: { type: 'NOT_FOUND_ERROR', message: null } }],
    [{ records: { A: [], DNS_IP: [{ value: '', priority: 10 }], CAA: [{ flags: 0, tag: 'issue', ttl: 600 }] } }],
  ])('stays: %j', (answer) => {
    expect(anonymized(answer)).toEqual({ value: answer, unknown: [] });
  });

  it('moves dates by whole days if asked, and nothing else', () => {
    const answer = {
      date: '2026-12-31',
      date_add: '2026-12-31 23:59:59',
      date_expire: '0',
      size: '2026',
      php_version: '8.2',
    };

    expect(anonymized(answer, 1).value).toEqual({ ...answer, date: '2027-01-01', date_add: '2027-01-01 23:59:59' });
    expect(anonymized(answer, -365).value).toMatchObject({ date: '2025-12-31' });
  });
});

describe('everything else is replaced', () => {
  it.each([
    [{ name: '2026' }, { name: 'name1' }],
    [{ mailbox: '79161234567' }, { mailbox: 'name1' }],
    [{ mailbox: 79_161_234_567 }, { mailbox: 1 }],
    [{ registrar_status: 'ivanov1' }, { registrar_status: 'name1' }],
    [{ registrar_status: 'ivan ivanov' }, { registrar_status: 'text 1' }],
    [{ registrar_status: 'иванов' }, { registrar_status: 'имя1' }],
    [{ registrar_status: 'x'.repeat(31) }, { registrar_status: 'name1' }],
    [{ size: '12 ivanov' }, { size: 'text 1' }],
    [{ php_version: '203.0.113.7' }, { php_version: '198.18.0.1' }],
    [{ error_text: 'Cannot access method mysql of shop' }, { error_text: 'text 1' }],
    [{ error_code: 'ivanov' }, { error_code: 'name1' }],
    [
      { records: { TXT: [{ value: '123456', priority: 10 }] } },
      { records: { TXT: [{ value: 'name1', priority: 10 }] } },
    ],
    [{ result: ['shop_wp', 'shop'] }, { result: ['name1_name2', 'name1'] }],
    ['shop', 'name1'],
    [42, 1],
  ])('%j becomes %j', (answer, expected) => {
    expect(anonymized(answer).value).toEqual(expected);
  });

  it.each([
    ['size', '1 MB'],
    ['date', '2026-10-25'],
    ['minutes', '*/10'],
    ['php_version', '8.2'],
    ['error_code', 'AUTH_ERROR'],
    ['error_code', '1208'],
    ['error_text', 'No such method'],
    ['status', 'success'],
    ['type', 'restore'],
    ['operation', 'restore'],
    ['registrar', 'beget'],
    ['registrar_status', 'delegated'],
    ['register_order_status', 'FINISH'],
    ['renew_order_status', 'pending'],
    ['ssl_status', 'wle_set'],
    ['nginx_template', 'default'],
    ['forward_mail_status', 'no_forward'],
    ['cgi', 'enabled'],
    ['tag', 'issue'],
  ])('%s: %s stays only as the whole value', (field, value) => {
    const forms = [
      value,
      `${value} ivanov`,
      `ivanov ${value}`,
      `${value}\nivanov`,
      `ivanov.${value}`,
      `${value}.ivanov`,
    ];

    const [kept, ...others] = forms.map((form) => JSON.stringify(anonymized({ [field]: form }).value));

    expect(kept).toBe(JSON.stringify({ [field]: value }));
    expect(others.filter((text) => /ivanov/.test(text) || text.includes(JSON.stringify(value).slice(1, -1)))).toEqual(
      [],
    );
  });

  it.each(['SHOP', 'A_b', '1234567', 'shop_main'])('the code %s, because names may be written like this', (code) => {
    expect(anonymized({ error_code: code }).value).not.toEqual({ error_code: code });
  });

  it('values of more than 80 characters', () => {
    const size = `1${' '.repeat(79)}`;

    expect(anonymized({ size }).value).toEqual({ size });
    expect(anonymized({ size: `${size} ` }).value).toEqual({ size: 'text 1' });
  });

  it('reports and replaces fields that the documentation does not name, with their values', () => {
    const answer = { 'example.com': { phone: 79_161_234_567, note: 'call Ivan', on: true }, size: 1 };

    expect(anonymized(answer)).toEqual({
      value: { 'name1.name2': { name3: 4, name5: 'text 6', name7: true }, size: 1 },
      unknown: ['example.com', 'phone', 'note', 'on'],
    });
  });
});

describe('an unknown word of a state', () => {
  const fields = ['status', 'type', 'operation', 'registrar', 'registrar_status', 'register_order_status'];
  const otherFields = ['renew_order_status', 'ssl_status', 'nginx_template', 'forward_mail_status', 'cgi', 'tag'];

  it.each([...fields, ...otherFields])('is kept and listed: %s', (field) => {
    const anonymizer = new Anonymizer(0);

    const recorded = JSON.stringify(anonymizer.anonymize({ [field]: 'wle_error' }));

    expect(JSON.parse(recorded)).toEqual({ [field]: 'wle_error' });
    expect(anonymizer.keptWords).toEqual(['wle_error']);
  });

  it.each([
    ['its whole', 'Ivanov', 'ivanov.example'],
    ['a part', 'not_ivanov', 'shop_ivanov'],
  ])('is replaced if %s is a name in a later answer', (_, word, name) => {
    const anonymizer = new Anonymizer(0);
    const answers = [{ registrar_status: word }, { name }].map((answer) => anonymizer.anonymize(answer));

    expect(JSON.stringify(answers)).not.toMatch(/ivanov/i);
    expect(anonymizer.keptWords).toEqual([]);
  });
});

it('keeps no word of any text, wherever the answer contains the text', () => {
  const documented = ['size', 'date', 'error_text', 'value', 'name', 'records', 'error_code', 'server_mysql_version'];
  const text = fc
    .tuple(anyText({ maxLength: 5 }), fc.constantFrom('zqxjvk', 'жщъыэ'), fc.string({ maxLength: 5 }))
    .map((parts) => parts.join(''));
  const key = fc.oneof(text, fc.constantFrom(...documented));
  const { answer } = fc.letrec((tie) => ({
    answer: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.array(tie('answer'), { maxLength: 3 }),
      fc.dictionary(key, tie('answer'), { maxKeys: 4 }),
    ),
  }));

  fc.assert(
    fc.property(answer, (value) => {
      expect(JSON.stringify(anonymized(value).value)).not.toMatch(/zqxjvk|жщъыэ/i);
    }),
  );
});

it('refuses values that are nested too deeply', () => {
  const nested = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`);

  expect(() => anonymized(nested)).toThrow(RangeError);
});

it.each([
  ['lists', '[', ']'],
  ['objects', '{"result":', '}'],
])('accepts %s of 63 levels, and no more', (_, open, close) => {
  const nested = (levels: number) => JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`);

  expect(JSON.stringify(anonymized(nested(63)).value)).toHaveLength(JSON.stringify(nested(63)).length);
  expect(() => anonymized(nested(64))).toThrow('nested deeper than 64 levels');
});
