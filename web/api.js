// What the server is asked. A position is named by its game and the actions that lead to it.

/** @typedef {{game: string, from: string|null, actions: number[]}} Line */

let token = null;

/** Takes the token out of a fragment, where the server's link has it, keeps it for this tab, and returns the rest. */
export function readToken(fragment) {
  const found = /[#&?]token=([A-Za-z0-9_-]+)/.exec(fragment);
  const rest = found ? fragment.replace(found[0], "").replace(/^#?$/, "") : fragment;
  if (found) {
    sessionStorage.setItem("token", found[1]);
    history.replaceState(null, "", rest || location.pathname);
  }
  token = sessionStorage.getItem("token");
  return rest;
}

function headers() {
  const all = { "content-type": "application/json" };
  if (token) all["x-tablero-token"] = token;
  return all;
}

/** What the server refuses, in its words. */
export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function answer(response) {
  if (response.ok) return response.json();
  let message = `the server answers ${response.status}`;
  try {
    message = (await response.json()).error ?? message;
  } catch { /* not JSON: the status says enough */ }
  throw new Refused(message, response.status);
}

export async function get(path) {
  return answer(await fetch(path, { headers: headers() }));
}

export async function post(path, body, signal) {
  const options = { method: "POST", headers: headers(), body: JSON.stringify(body), signal };
  return answer(await fetch(path, options));
}

/**
 * Follows a stream of events until it ends or is aborted.
 * @param {(name: string, value: any) => void} onevent
 */
export async function follow(path, body, signal, onevent) {
  const options = { method: "POST", headers: headers(), body: JSON.stringify(body), signal };
  const response = await fetch(path, options);
  if (!response.ok) await answer(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const parts = rest.split("\n\n");
    rest = parts.pop();
    for (const part of parts) readEvent(part, onevent);
  }
}

function readEvent(text, onevent) {
  let name = "message";
  const data = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  if (data.length > 0) onevent(name, JSON.parse(data.join("\n")));
}

/** Whether an error is only that somebody stopped it. */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}
