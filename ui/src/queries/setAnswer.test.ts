/** Tests of a write that is answered while the same query is read. */
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { setAnswer } from "./setAnswer";

const queryKey = ["1", "invoice", "key"];

/** A client with a query that is being read, and what ends that read. */
function readingClient(cached?: string) {
  const client = new QueryClient();
  if (cached !== undefined) client.setQueryData(queryKey, cached);
  let finish: (value: string) => void = () => undefined;
  const read = client.fetchQuery({
    queryKey,
    queryFn: () =>
      new Promise<string>((resolve) => {
        finish = resolve;
      }),
  });
  const ended = read.then(
    () => undefined,
    () => undefined,
  );
  return {
    client,
    endRead: async (value: string) => {
      finish(value);
      await ended;
    },
  };
}

test.each([
  ["read for the first time", undefined],
  ["read again", "before"],
])("the answer of a write stays when a query that is %s ends with what was before it", async (_, cached) => {
  const { client, endRead } = readingClient(cached);
  setAnswer(client, queryKey, "written");
  await endRead("before");
  expect(client.getQueryData(queryKey)).toBe("written");
});

test("a read that begins after the answer of a write counts", async () => {
  const { client } = readingClient("before");
  setAnswer(client, queryKey, "written");
  await client.fetchQuery({ queryKey, queryFn: () => Promise.resolve("later") });
  expect(client.getQueryData(queryKey)).toBe("later");
});
