import { execFileSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText, readYaml, repository } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

interface PrometheusFile {
  readonly scrape_configs: readonly { readonly job_name: string; readonly scrape_interval?: string }[];
}

/** The job name in the alert rules. */
const [, job] = /absent\(up\{job="([^"]+)"\}\)/.exec(readText('alerts/hosting.rules.yml')) ?? [];

const examples = globSync(join(repository, 'deploy/prometheus/examples/*.yml')).map((file) => basename(file));

describe('configuration of the stack', () => {
  it('passes promtool with the alert rules', () => {
    const text = readText('deploy/prometheus/prometheus.yml').replace('/settings/', '');
    const folder = temporaryFolder();
    const file = join(folder, 'prometheus.yml');
    writeFileSync(file, text);
    writeFileSync(join(folder, 'hosting.rules.yml'), readText('alerts/hosting.rules.yml'));

    const output = execFileSync('promtool', ['check', 'config', file], { encoding: 'utf8' });

    expect(output).toContain('1 rule files found');
    expect(output).toMatch(/SUCCESS: \d+ rules found/);
  });

  it('has the job name of the rules', () => {
    const { scrape_configs: jobs } = readYaml<PrometheusFile>('deploy/prometheus/prometheus.yml');

    expect(jobs.map(({ job_name: name }) => name)).toEqual([job]);
  });
});

describe('examples', () => {
  it('cover one exporter, a fleet, several Prometheus servers and several exporters', () => {
    expect(examples.toSorted()).toEqual(['fleet.yml', 'several-exporters.yml', 'sharded.yml', 'single.yml']);
  });

  it.each(examples)('%s passes promtool', (name) => {
    const file = join(repository, 'deploy/prometheus/examples', name);

    expect(execFileSync('promtool', ['check', 'config', file], { encoding: 'utf8' })).toContain('SUCCESS');
  });

  it.each(examples)('%s has the job name of the rules and a suitable scrape interval', (name) => {
    const { scrape_configs: jobs } = readYaml<PrometheusFile>(`deploy/prometheus/examples/${name}`);

    expect(jobs[0]?.job_name).toBe(job);
    expect(new Set(jobs.map((one) => one.scrape_interval))).toEqual(new Set(['1m']));
  });
});
