/** Amounts are whole cents, so that adding never loses any. */
export function parseAmount(text) {
  const match = /^(\d+)\.(\d\d)$/.exec(text);
  if (match === null) throw new Error(`An amount looks like 12.50, but was ${text}`);
  return Number(match[1]) * 100 + Number(match[2]);
}

export function formatAmount(cents) {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
