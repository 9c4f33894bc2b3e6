import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText, readYaml, repository } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

interface PrometheusFile {
  readonly scrape_configs: readonly { readonly job_name: string; readonly scrape_interval?: string }[];
}

/** The job that the alert rules ask for. */
const [, job] = /absent\(up\{job="([^"]+)"\}\)/.exec(readText('alerts/hosting.rules.yml')) ?? [];

const examples = globSync(join(repository, 'deploy/prometheus/examples/*.yml')).map((file) => basename(file));

describe('the configuration of the stack', () => {
  it('is right for promtool, with the rules where the container has them', () => {
    const text = readText('deploy/prometheus/prometheus.yml').replace('/etc/prometheus/rules/*.yml', 'rules/*.yml');
    const folder = temporaryFolder();
    const file = join(folder, 'prometheus.yml');
    writeFileSync(file, text);
    mkdirSync(join(folder, 'rules'));
    writeFileSync(join(folder, 'rules/hosting.rules.yml'), readText('alerts/hosting.rules.yml'));

    const said = execFileSync('promtool', ['check', 'config', file], { encoding: 'utf8' });

    expect(said).toContain('1 rule files found');
    expect(said).toMatch(/SUCCESS: \d+ rules found/);
  });

  it('names its job as the rules do', () => {
    const { scrape_configs: jobs } = readYaml<PrometheusFile>('deploy/prometheus/prometheus.yml');

    expect(jobs.map(({ job_name: name }) => name)).toEqual([job]);
  });
});

describe('the examples', () => {
  it('are for one exporter, for a fleet, for several Prometheus servers and for several exporters', () => {
    expect(examples.toSorted()).toEqual(['fleet.yml', 'several-exporters.yml', 'sharded.yml', 'single.yml']);
  });

  it.each(examples)('%s is right for promtool', (name) => {
    const file = join(repository, 'deploy/prometheus/examples', name);

    expect(execFileSync('promtool', ['check', 'config', file], { encoding: 'utf8' })).toContain('SUCCESS');
  });

  it.each(examples)('%s names its job as the rules do, and scrapes often enough for them', (name) => {
    const { scrape_configs: jobs } = readYaml<PrometheusFile>(`deploy/prometheus/examples/${name}`);

    expect(jobs).toEqual([expect.objectContaining({ job_name: job, scrape_interval: '1m' })]);
  });
});
