import { expect, it } from 'vitest';
import { negotiate } from '../../src/store/negotiation.ts';

const text = 'text/plain; version=0.0.4; charset=utf-8';
const openMetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** Accept headers as these clients send them. */
const prometheus2 =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const prometheus253 =
  'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,application/openmetrics-text;version=1.0.0;q=0.8,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const prometheus3 =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
const prometheus3Protobuf = `application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;escaping=allow-utf-8;q=0.7,${prometheus3}`;
const prometheus3Underscores =
  'application/openmetrics-text;version=1.0.0;escaping=underscores;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=underscores;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1';
const prometheus3TextOnly =
  'text/plain;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const chromium =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

it.each([
  ['no header', undefined, text],
  ['anything', '*/*', text],
  ['an empty header', '', text],
  ['any text', 'text/*', text],
  ['text', 'text/plain', text],
  ['text 0.0.4', 'text/plain;version=0.0.4', text],
  ['OpenMetrics of any version', 'application/openmetrics-text', openMetrics],
  ['OpenMetrics 1.0.0', 'application/openmetrics-text; version=1.0.0', openMetrics],
  ['OpenMetrics in capitals', 'Application/OpenMetrics-Text; Version=1.0.0', openMetrics],
  ['an unsupported type', 'application/json', text],
  ['OpenMetrics 0.0.1 alone', 'application/openmetrics-text; version=0.0.1', text],
  ['text above OpenMetrics', 'application/openmetrics-text;version=1.0.0;q=0.3,text/plain;version=0.0.4;q=0.7', text],
  [
    'OpenMetrics above text',
    'text/plain;version=0.0.4;q=0.3,application/openmetrics-text;version=1.0.0;q=0.7',
    openMetrics,
  ],
  ['OpenMetrics with q=0', 'application/openmetrics-text;q=0,*/*;q=0.5', text],
  ['Prometheus 2', prometheus2, openMetrics],
  ['Prometheus 2.53 with native histograms', prometheus253, openMetrics],
  ['Prometheus 3', prometheus3, `${openMetrics}; escaping=allow-utf-8`],
  ['Prometheus 3 with native histograms', prometheus3Protobuf, `${openMetrics}; escaping=allow-utf-8`],
  ['Prometheus 3 with old names', prometheus3Underscores, `${openMetrics}; escaping=underscores`],
  ['Prometheus 3 with text only', prometheus3TextOnly, text],
  ['a browser', chromium, text],
  ['a malformed header', ';;;,,q=,/', text],
])('chooses the content type for %s', (_what, accept, contentType) => {
  const headers = accept === undefined ? {} : { accept };

  const representation = negotiate(headers);

  expect(representation.contentType).toBe(contentType);
  expect(representation.format).toBe(contentType.startsWith('application') ? 'openmetrics' : 'text');
});

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=0.5, identity', 'identity'],
  ['identity;q=0.5, gzip', 'gzip'],
  ['*', 'gzip'],
  ['br', 'identity'],
  ['zstd', 'identity'],
  ['deflate', 'identity'],
  ['identity;q=0, br', 'identity'],
])('answers Accept-Encoding %j with the encoding %s', (accepted, encoding) => {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };

  expect(negotiate(headers).encoding).toBe(encoding);
});
