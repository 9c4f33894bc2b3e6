/** Why a text is not a bcrypt hash; undefined if it is. Does not repeat any of it. */
export function validateBcryptHash(text: string): string | undefined {
  const advice = 'write the output of `hosting-account-exporter hash-password`';
  if (text.length < 59) return `is too short for a bcrypt hash; ${advice}`;
  if (!/^\$2[aby]?\$\d\d\$[./A-Za-z0-9]{53}$/.test(text)) return `is not a bcrypt hash; ${advice}`;
  const cost = bcryptCost(text);
  return cost < 4 || cost > 31 ? `is not a bcrypt hash, because its cost is not from 4 to 31; ${advice}` : undefined;
}

/** The cost of a valid bcrypt hash: each step doubles the time of a login. */
export function bcryptCost(hash: string): number {
  return Number(hash.split('$')[2]);
}
