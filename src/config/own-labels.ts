/** Prometheus stores labels with every series of the metric, so an account needs few of them. */
const maxLabels = 20;

const maxLength = 100;

/** Why a text is not the name of an own label, which follows `label_` in the metrics; undefined if it is. */
export function validateLabelName(name: string): string | undefined {
  return /^[a-z][a-z0-9_]{0,49}$/i.test(name)
    ? undefined
    : 'has a key that is not a label name; write up to 50 letters, digits and underscores, starting with a letter';
}

/** Why a text is not the value of an own label; undefined if it is. */
export function validateLabelValue(value: string): string | undefined {
  if (value.trim() === '') return 'is empty; write a value, or remove the label';
  if (value.length > maxLength) return `is longer than ${maxLength} characters; shorten it`;
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(value)) return 'contains an invisible character; remove it';
  return undefined;
}

/** Why labels are too many for one account; undefined if they are not. */
export function validateLabelCount(count: number): string | undefined {
  return count > maxLabels ? `has ${count} labels; keep at most ${maxLabels}` : undefined;
}
