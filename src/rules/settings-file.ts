import { Document, isMap, isNode, isScalar, type Node } from 'yaml';
import { printed } from './prometheus.ts';
import { settingsShape } from './settings.ts';
import { alertNames, type Severity, severities, type Thresholds, thresholds } from './thresholds.ts';

/** The settings file with every key at its default and a comment for each: what a user copies and edits. */
export function settingsFile(): string {
  const { alerts: _, ...general } = settingsShape.parse({});
  const document = new Document({
    ...general,
    alerts: Object.fromEntries(alertNames.map((alert) => [alert, alertDefaults(thresholds[alert])])),
  });
  document.commentBefore = [
    ' Thresholds of the alert bundle: every key with its default. Keep what you change, leave out the rest, then write',
    ' the bundle anew: hosting-account-exporter rules --config.file=thresholds.yml --output=alerts',
    ' `off` in place of an alert or of one severity leaves it out. Single accounts override thresholds in the',
    " exporter's own configuration; no rule has to change for that.",
  ].join('\n');
  for (const [key, schema] of Object.entries(settingsShape.shape)) {
    comment(document, [key], schema.description ?? '', true);
  }
  for (const alert of alertNames) {
    commentAlert(document, alert, thresholds[alert]);
  }
  return printed(document);
}

function alertDefaults({ direction, levels, keepFiringFor, knobs = {} }: Thresholds): unknown {
  const plain: Record<string, unknown> = {};
  for (const severity of severities) {
    const level = levels[severity];
    if (level !== undefined) {
      plain[severity] = { ...(direction && { [direction]: level.value }), for: level.for };
    }
  }
  for (const [name, { value }] of Object.entries(knobs)) {
    plain[name] = value;
  }
  return { ...plain, ...(keepFiringFor !== undefined && { keep_firing_for: keepFiringFor }) };
}

function commentAlert(
  document: Document,
  alert: string,
  { means, unit, perAccount, levels, knobs = {} }: Thresholds,
): void {
  const counted = unit === undefined ? '' : ` Unit: ${unit}.`;
  const own = perAccount ? ' An account may override it.' : '';
  comment(document, ['alerts', alert], `${means}${counted}${own}`, alert !== alertNames[0]);
  for (const [severity, level] of Object.entries(levels) as [Severity, { readonly why: string }][]) {
    comment(document, ['alerts', alert, severity], level.why);
    const node = document.getIn(['alerts', alert, severity], true);
    if (isMap(node)) {
      node.flow = true;
    }
  }
  for (const [name, { why }] of Object.entries(knobs)) {
    comment(document, ['alerts', alert, name], why);
  }
  comment(
    document,
    ['alerts', alert, 'keep_firing_for'],
    'Goes on for so long after its end: a short gap is no end. Or `off`.',
  );
}

/** Puts a comment above a key, where the key is there. */
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
