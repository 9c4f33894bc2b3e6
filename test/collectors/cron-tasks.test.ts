import { expect, it } from 'vitest';
import { cronTasks } from '../../src/collectors/cron-tasks.ts';
import { linesOf, payloadOf } from './collected.ts';

const tasks = { 'cron/getList': { result: [{ is_hidden: 0 }] } };
const counts = [
  'hosting_cron_tasks{account="shop",state="enabled"} 1',
  'hosting_cron_tasks{account="shop",state="disabled"} 0',
];

it.each([
  ['an address', { result: 'admin@shop.example' }, ['hosting_cron_email_set{account="shop"} 1']],
  ['null', { result: null }, ['hosting_cron_email_set{account="shop"} 0']],
  ['an empty text', { result: '' }, ['hosting_cron_email_set{account="shop"} 0']],
  ['only spaces', { result: '  ' }, ['hosting_cron_email_set{account="shop"} 0']],
  ['another type', { result: [] }, []],
  ['no such method', { refuse: 'NO_SUCH_METHOD' }, []],
])('the output of cron tasks has an address if the API answers %s', async (_, answer, expected) => {
  expect(await linesOf(cronTasks, { ...tasks, 'cron/getEmail': answer })).toEqual([...counts, ...expected]);
});

it('the output of cron tasks has no address in the payload, which a state directory keeps', async () => {
  const payload = await payloadOf(cronTasks, { ...tasks, 'cron/getEmail': { result: 'admin@shop.example' } });

  expect(payload).toEqual({ tasks: [{ enabled: true }], email: { isSet: true } });
});
