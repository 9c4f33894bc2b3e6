/** The keys for the secret of an account. An account has exactly one of these keys. */
export const secretKeys = ['password', 'password_file', 'token', 'token_file'] as const;

type AccountKey = 'name' | 'login' | (typeof secretKeys)[number];

/** A mapping before validation. Names the keys that are read from unvalidated mappings. */
export type RawMapping = Readonly<
  Partial<Record<'accounts' | 'accounts_from' | 'api' | 'base_url' | 'collectors' | AccountKey, unknown>> &
    Record<string, unknown>
>;

/** Whether a YAML value is a mapping. The keys of the mapping need not be valid. */
export function isMapping(value: unknown): value is RawMapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The accounts in the value of a document. The value need not be valid. */
export function accountsOf(value: unknown): readonly unknown[] {
  return isMapping(value) ? listOf(value.accounts) : [];
}
