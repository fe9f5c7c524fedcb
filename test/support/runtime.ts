// Where the tests run: in workerd (the project `workers`), or in Node with what stands there for the platform (the project `local`).

export const inNode = navigator.userAgent !== "Cloudflare-Workers";

/** D1 says how many rows a statement reads and writes. SQLite in Node does not, so that a test of rows asks this first. */
export const rowsAreCounted = !inNode;
