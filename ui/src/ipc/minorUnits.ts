// Generated from the currencies of crates/invoice by `cargo xtask bindings`.

/** Currencies (ISO 4217) by the digits of their minor units, where these are not two. */
export const otherMinorUnits: Readonly<Record<string, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};
