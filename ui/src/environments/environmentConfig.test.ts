/** Tests of the JSON of an environment, copied and pasted. */
import { describe, expect, test } from "vitest";
import { emptyConfig, formatEnvironmentConfig, parseEnvironmentConfig } from "./environmentConfig";

describe("the JSON of an environment", () => {
  test("parses to the configuration that was formatted", () => {
    const config = { ...emptyConfig, name: "production", authUrl: "https://id.example.com", clientId: "desk" };
    expect(parseEnvironmentConfig(formatEnvironmentConfig(config))).toEqual(config);
  });
  test("yields only valid known fields", () => {
    expect(parseEnvironmentConfig('{"authUrl":"https://id.example.com","kind":"local","password":"x","clientId":7}')).toEqual({
      authUrl: "https://id.example.com",
    });
  });
  test("is not parsed from a plain value", () => {
    for (const text of ["https://id.example.com", "274893001", '"desk"', "[]", "{}", "null", ""]) {
      expect(parseEnvironmentConfig(text)).toBeNull();
    }
  });
});
