import { parse } from 'yaml';
import { languages } from '../../src/rules/languages.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Values with keys that Kubernetes or the user defines. */
const freeForm: ReadonlySet<string> = new Set([
  'resources',
  'podSecurityContext',
  'securityContext',
  'dashboards.labels',
  'updateStrategy',
  'secret.passwords',
]);

const port = { type: 'integer', minimum: 1, maximum: 65_535 };
const name = { type: 'string', minLength: 1 };

/** The schemas of values, by path. For all other values, the type of the default determines the schema. */
const details: Readonly<Record<string, JsonSchema>> = {
  shards: { type: 'integer', minimum: 1, maximum: 9999 },
  'image.repository': name,
  'secret.existing': { anyOf: [{ type: 'string' }, { type: 'array', items: name, minItems: 1, uniqueItems: true }] },
  'state.size': { type: 'string', pattern: '^[1-9][0-9]*(Mi|Gi|Ti)$' },
  'podDisruptionBudget.maxUnavailable': {
    anyOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', pattern: '%$' },
    ],
  },
  accountFiles: { type: 'array', items: { type: 'object', minProperties: 1, maxProperties: 1 } },
  'image.digest': { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
  'image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  'log.level': { enum: ['debug', 'info', 'warn', 'error'] },
  'log.format': { enum: ['logfmt', 'json'] },
  'service.port': port,
  'prometheusRule.language': { enum: [...languages] },
  'dashboards.languages': { type: 'array', items: { enum: ['en', 'ru'] }, minItems: 1, uniqueItems: true },
  'networkPolicy.dnsPorts': { type: 'array', items: port, minItems: 1 },
  'networkPolicy.apiPorts': { type: 'array', items: port, minItems: 1 },
  'networkPolicy.apiCidrs': { type: 'array', items: name, minItems: 1 },
  'networkPolicy.prometheusNamespaces': { type: 'array', items: name, minItems: 1 },
  'secret.passwords': { type: 'object', additionalProperties: name },
  extraArgs: { type: 'array', items: { type: 'string', pattern: '^--' } },
  imagePullSecrets: { type: 'array', items: { type: 'object', required: ['name'] } },
};

const servedAddress = { type: 'string', pattern: ':10380$' };
const orMissing = (properties: JsonSchema) => ({ anyOf: [{ type: 'object', properties }, { type: 'null' }] });

/** What the Service, the probes and the volume of the chart expect of the configuration. */
const fixedByChart = {
  properties: {
    web: orMissing({ listen_address: { anyOf: [servedAddress, { type: 'array', items: servedAddress }] } }),
    state: orMissing({ directory: { const: '/var/lib/hosting-account-exporter' } }),
  },
};

/**
 * The schema of the values of the Helm chart. It consists of the types of the defaults in values.yaml, and of `configuration` for
 * the configuration file. Unknown keys are errors.
 */
export function helmValuesSchema(valuesYaml: string, configuration: string): string {
  const { $schema, title: _, allOf, ...rest } = JSON.parse(configuration) as Readonly<Record<string, unknown>>;
  const config = { ...rest, allOf: [allOf, { type: 'object', ...fixedByChart }].flat() };
  const values: unknown = parse(valuesYaml);
  const schema = { $schema, title: 'Values of hosting-account-exporter', ...schemaOf(values, '', { config }) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function schemaOf(value: unknown, path: string, known: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const given = known[path] ?? details[path];
  if (given !== undefined) return given;
  if (Array.isArray(value)) return { type: 'array' };
  if (typeof value !== 'object' || value === null) return { type: typeof value };
  const entries = Object.entries(value);
  if (entries.length === 0 || freeForm.has(path)) return { type: 'object' };
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(
        entries.map(([key, child]) => [key, schemaOf(child, path === '' ? key : `${path}.${key}`, known)]),
      ),
      // Helm also passes the values that apply to all charts.
      ...(path === '' && { global: { type: 'object' } }),
    },
  };
}
