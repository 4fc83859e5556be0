/** Codes of UNCL4461 that a payment can name; empty if it names none. */

export const paymentMeans = ["", "10", "20", "30", "48", "49"] as const;
