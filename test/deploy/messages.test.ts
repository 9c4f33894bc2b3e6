import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { Cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import { repository } from '../fixtures/repository.ts';
import { until } from '../fixtures/waiting.ts';

const cleanups = new Cleanups();
afterAll(cleanups.end);

const account = { account: 'shop', customer: 'acme', collectors: [] };
const problems = [
  {
    ...account,
    state: 'critical',
    kind: 'disk',
    alert: 'HostingDiskAlmostFull',
    causeText: 'Disk almost full',
    text: 'Disk 99% full',
    period: 'today',
  },
  {
    ...account,
    state: 'warning',
    kind: 'domain',
    alert: 'HostingDomainExpiring',
    item: 'a.example',
    text: 'T',
  },
  {
    ...account,
    state: 'critical',
    kind: 'suspension',
    alert: 'HostingAccountBlockedSoon',
    text: 'S',
    period: 'overdue',
  },
  { ...account, state: 'partly', kind: 'unknown disk', text: 'U' },
];

it('gives Alertmanager the problems of the accounts with page and runbook, and keeps them while there is no new data', async () => {
  const posted: { labels: Record<string, string>; annotations: Record<string, string> }[][] = [];
  const answers: object[] = [{ problems, accounts: [{ account: 'shop', state: 'critical' }] }];
  const down = {
    problems: [{ ...account, state: 'failing', kind: 'unreachable', alert: 'HostingCredentialsRejected', text: 'A' }],
  };
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') posted.push(JSON.parse(await text(request)));
    // First an answer, then one without new data, then none.
    else if (answers.length > 0) return void response.end(JSON.stringify(answers.shift()));
    else response.writeHead(500);
    response.end();
  });
  answers.push({ ...down, accounts: [{ account: 'shop', state: 'failing' }] });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.add(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { EXPORTER: url, ALERTMANAGER: url, INTERVAL_SECONDS: '0.02', EXPORTER_URL: 'https://h.example' };
  new Process(cleanups, process.execPath, [join(repository, 'deploy/messages.ts')], { environment });

  const namesOf = (list: (typeof posted)[number] = []) => list.map(({ labels }) => labels['alertname']);
  await until('the exporter is missing', () => namesOf(posted.at(-1)).includes('HostingExporterDown'));

  const [first, second] = posted;
  expect(namesOf(first)).toEqual(['HostingDiskAlmostFull', 'HostingDomainExpiring', 'HostingAccountBlockedToday']);
  expect(first?.[1]?.labels).toEqual({
    ...{ alertname: 'HostingDomainExpiring', severity: 'warning', job: 'hosting' },
    ...{ account: 'shop', customer: 'acme', domain: 'a.example' },
  });
  expect(first?.[0]?.annotations).toEqual({
    ...{ summary: 'Disk almost full', description: 'shop: Disk 99% full', page_url: 'https://h.example/accounts/shop' },
    order: '1',
    runbook_url: expect.stringMatching(/\/docs\/runbooks\/HostingDiskAlmostFull\.md$/),
  });
  expect(namesOf(second)).toEqual([...namesOf(first), 'HostingCredentialsRejected']);
});
