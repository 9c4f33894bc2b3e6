import { Document, isMap, isNode, isScalar, type Node } from 'yaml';
import { printed } from './prometheus.ts';
import { settingsShape } from './settings.ts';
import { alertNames, type Severity, severities, type Thresholds, thresholds } from './thresholds.ts';

/** The settings file with every default and a comment for each key, for users to copy and edit. */
export function settingsFile(): string {
  const { alerts: _, ...general } = settingsShape.parse({});
  const document = new Document({
    ...general,
    alerts: Object.fromEntries(alertNames.map((alert) => [alert, alertDefaults(thresholds[alert])])),
  });
  document.commentBefore = [
    ' Settings of the alert bundle: every key with its default. Copy this file, keep the keys that you change, and',
    ' generate the bundle: hosting-account-exporter rules --config.file=my-thresholds.yml --output=alerts',
    ' `until` is the value that ends a firing alert. An account with its own threshold keeps the distance between the',
    ' threshold and `until`. The value `off` disables an alert or a severity. To override thresholds for single accounts,',
    " use the exporter's configuration; the rules stay the same.",
  ].join('\n');
  for (const [key, schema] of Object.entries(settingsShape.shape)) {
    comment(document, [key], schema.description ?? '', true);
  }
  for (const alert of alertNames) {
    commentAlert(document, alert, thresholds[alert]);
  }
  return printed(document);
}

function alertDefaults({ direction, levels, keepFiringFor, parameters = {} }: Thresholds): unknown {
  const plain: Record<string, unknown> = {};
  for (const severity of severities) {
    const level = levels[severity];
    if (level !== undefined) {
      plain[severity] = { ...(direction && { [direction]: level.value, until: level.until }), for: level.for };
    }
  }
  for (const [name, { value }] of Object.entries(parameters)) {
    plain[name] = value;
  }
  return { ...plain, ...(keepFiringFor !== undefined && { keep_firing_for: keepFiringFor }) };
}

function commentAlert(
  document: Document,
  alert: string,
  { description, unit, perAccount, levels, parameters = {} }: Thresholds,
): void {
  const unitText = unit === undefined ? '' : ` Unit: ${unit}.`;
  const overrideText = perAccount ? ' Can be overridden per account.' : '';
  comment(document, ['alerts', alert], `${description}${unitText}${overrideText}`, alert !== alertNames[0]);
  for (const [severity, level] of Object.entries(levels) as [Severity, { readonly why: string }][]) {
    comment(document, ['alerts', alert, severity], level.why);
    const node = document.getIn(['alerts', alert, severity], true);
    if (isMap(node)) {
      node.flow = true;
    }
  }
  for (const [name, { why }] of Object.entries(parameters)) {
    comment(document, ['alerts', alert, name], why);
  }
  comment(
    document,
    ['alerts', alert, 'keep_firing_for'],
    'How long the alert keeps firing after the end of its condition. This time bridges short gaps. `off` disables it.',
  );
}

/** Writes a comment above a key if the key exists. */
function comment(document: Document, path: readonly string[], text: string, spaceBefore = false): void {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  const key: unknown = pair?.key;
  if (isNode(key)) {
    const node: Node = key;
    node.commentBefore = text.replaceAll(/^/gm, ' ');
    node.spaceBefore = spaceBefore;
  }
}
