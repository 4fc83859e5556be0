import { describe, expect, test } from "vitest";
import { blank, described, written } from "./particulars";

describe("the description of an environment", () => {
  test("is read as it was written", () => {
    const particulars = { ...blank, name: "production", authUrl: "https://id.example.com", clientId: "desk" };
    expect(described(written(particulars))).toEqual(particulars);
  });
  test("fills in what it holds and nothing else", () => {
    expect(described('{"authUrl":"https://id.example.com","kind":"local","password":"x","clientId":7}')).toEqual({
      authUrl: "https://id.example.com",
    });
  });
  test("is told apart from a single value", () => {
    for (const text of ["https://id.example.com", "274893001", '"desk"', "[]", "{}", "null", ""]) {
      expect(described(text)).toBeNull();
    }
  });
});
