/** The VAT on a net amount, in cents; the rate is in percent. */
export function vat(net, rate) {
  return Math.floor((net * rate) / 100);
}
