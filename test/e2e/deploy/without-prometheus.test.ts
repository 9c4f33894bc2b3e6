import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { webConfigFile } from '../../../src/web/config/schema.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { parseCommandLine } from '../../fixtures/command-line.ts';
import { startDebianServer } from '../../fixtures/debian-server.ts';
import { codeBlocks, fileOnPage } from '../../fixtures/markdown.ts';
import { startDemo } from '../../fixtures/program.ts';
import { startPrometheus } from '../../fixtures/prometheus.ts';
import { readText } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

const page = readText('docs/without-prometheus.md');

interface AgentConfig {
  readonly scrape_configs: readonly Readonly<Record<string, unknown>>[];
  readonly remote_write: readonly Readonly<Record<string, unknown>>[];
}

describe('Prometheus as an agent', () => {
  const cleanups = new Cleanups();
  afterAll(cleanups.end);

  it('forwards every series of the exporter, but no buckets, with the job name of the rules', async () => {
    const exporter = await startDemo(cleanups, ['demo']);
    const receiver = await startPrometheus(cleanups, [], { flags: ['--web.enable-remote-write-receiver'] });
    const [, receiverAddress = ''] = /msg="Listening on" address=(\S+)/.exec(receiver.process.stderr) ?? [];
    const folder = temporaryFolder(cleanups);
    writeFileSync(join(folder, 'token'), 'secret', { mode: 0o600 });
    const text = fileOnPage(page, 'agent.yml')
      .replace('localhost:10380', exporter.address)
      .replace('scrape_interval: 1m', 'scrape_interval: 1s')
      .replace('https://storage.example.com/api/v1/write', `http://${receiverAddress}/api/v1/write`)
      .replace('/etc/prometheus/storage-token', join(folder, 'token'));
    const { scrape_configs, remote_write }: AgentConfig = parse(text);
    expect(scrape_configs).toHaveLength(1);
    expect(remote_write).toHaveLength(1);
    const file = join(folder, 'agent.yml');
    writeFileSync(file, text);

    await startDebianServer(cleanups, 'prometheus', [
      '--enable-feature=agent',
      `--config.file=${file}`,
      `--storage.agent.path=${join(folder, 'data')}`,
    ]);

    await until('the receiver has the series of the page', async () => {
      const names = (await exporter.page()).match(/^hosting_\w+/gm) ?? [];
      const series = await receiver.query('{__name__=~"hosting_.+"}');
      expect(series.length).toBe(names.filter((name) => !name.endsWith('_duration_seconds_bucket')).length);
      expect(series.length).toBeGreaterThan(500);
      expect(new Set(series.map(({ labels }) => labels['job']))).toEqual(new Set(['hosting']));
      expect(await receiver.value('up{job="hosting"}')).toBe(1);
      return true;
    });
  });
});

describe('the other files of docs/without-prometheus.md', () => {
  it('scrape.yml and agent.yml scrape in the same way', () => {
    const { remote_write: _, ...scraping }: Record<string, unknown> = parse(fileOnPage(page, 'agent.yml'));

    expect(stringify(scraping)).toBe(stringify(parse(fileOnPage(page, 'scrape.yml'))));
  });

  it('web.yml is a valid web configuration', () => {
    const { success, error } = webConfigFile.safeParse(parse(fileOnPage(page, 'web.yml')));

    expect(error?.issues).toBeUndefined();
    expect(success).toBe(true);
  });

  it('Alloy drops the same series, scrapes at the same interval and uses the same job name', () => {
    const [alloy = ''] = codeBlocks(page, 'alloy');
    const [scrape] = (parse(fileOnPage(page, 'agent.yml')) as AgentConfig).scrape_configs;

    expect(alloy).toContain(`job_name        = "${scrape?.['job_name']}"`);
    expect(alloy).toContain(`scrape_interval = "${scrape?.['scrape_interval']}"`);
    expect(alloy).toContain('regex         = "hosting_exporter_(api_request|poll)_duration_seconds_bucket"');
    expect(JSON.stringify(scrape)).toContain('"hosting_exporter_(api_request|poll)_duration_seconds_bucket"');
  });

  it('the commands of the exporter have valid flags', async () => {
    const commands = [...page.matchAll(/hosting-account-exporter ((?:once )?--config\.file=.*)$/gm)].map(
      ([, flags = '']) => flags.trim().split(' '),
    );

    const parsed = await Promise.all(commands.map((argv) => parseCommandLine(argv)));

    expect(parsed.map(({ command }) => command)).toEqual(['serve', 'once']);
  });

  it('the textfile collector reads the file of its command, and the query watches that file', () => {
    const [, output = ''] = / once .*--output=(\S+)$/m.exec(page) ?? [];
    const [, watched = ''] = /node_textfile_mtime_seconds\{file=~"(.+?)"\}/.exec(page) ?? [];

    // node_exporter reads files with this suffix. Debian's package uses this folder.
    expect(output).toMatch(/^\/var\/lib\/prometheus\/node-exporter\/[^/]+\.prom$/);
    expect(output).toMatch(new RegExp(`^(?:${watched})$`));
  });
});
