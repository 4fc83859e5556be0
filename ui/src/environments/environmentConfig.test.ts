import { describe, expect, test } from "vitest";
import { emptyConfig, formatEnvironmentConfig, parseEnvironmentConfig } from "./environmentConfig";

describe("the description of an environment", () => {
  test("is read as it was written", () => {
    const config = { ...emptyConfig, name: "production", authUrl: "https://id.example.com", clientId: "desk" };
    expect(parseEnvironmentConfig(formatEnvironmentConfig(config))).toEqual(config);
  });
  test("fills in what it holds and nothing else", () => {
    expect(parseEnvironmentConfig('{"authUrl":"https://id.example.com","kind":"local","password":"x","clientId":7}')).toEqual({
      authUrl: "https://id.example.com",
    });
  });
  test("is told apart from a single value", () => {
    for (const text of ["https://id.example.com", "274893001", '"desk"', "[]", "{}", "null", ""]) {
      expect(parseEnvironmentConfig(text)).toBeNull();
    }
  });
});
