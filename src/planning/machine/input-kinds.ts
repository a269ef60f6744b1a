import { decodeText } from "../../plan/text.ts";

/** Why a file cannot be an input, or undefined: its name and its first bytes must say the same. */
export function whyNoInput(name: string, bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return "is empty. Leave it out";
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const kind = media.find(({ extensions }) => extensions.includes(extension));
  if (kind !== undefined) {
    if (kind.magic.test(Buffer.from(bytes.subarray(0, 16)).toString("latin1"))) return undefined;
    return `is called .${extension} and is no ${kind.name}. Give it the name of what it is`;
  }
  if ("text" in decodeText(name, bytes)) return undefined;
  const isMedia = media.some(({ magic }) => magic.test(Buffer.from(bytes.subarray(0, 16)).toString("latin1")));
  return isMedia
    ? "is a picture or a document under another name. Give it the name of what it is"
    : "is neither text in UTF-8 nor PNG, JPEG, GIF, WebP or PDF. Export it as one of these, or leave it out";
}

/** By the bytes that every file of the kind begins with. */
const media: readonly { readonly name: string; readonly extensions: readonly string[]; readonly magic: RegExp }[] = [
  { name: "PNG", extensions: ["png"], magic: /^\x89PNG\r\n.\n/s },
  { name: "JPEG", extensions: ["jpg", "jpeg"], magic: /^\xff\xd8\xff/ },
  { name: "GIF", extensions: ["gif"], magic: /^GIF8[79]a/ },
  { name: "WebP", extensions: ["webp"], magic: /^RIFF[^]{4}WEBP/ },
  { name: "PDF", extensions: ["pdf"], magic: /^%PDF-/ },
];
