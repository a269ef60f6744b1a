/** How items are marked on an invoice. */
export const code = "I";

/** The sum of all lines, before discount and VAT. */
export function subtotal(lines) {
  return lines.reduce((sum, line) => sum + line.quantity * line.price, 0);
}
