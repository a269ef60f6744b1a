import { decodeText } from "../../plan/text.ts";

/** Says why a file cannot be an input, or undefined: its name and its first bytes must agree. */
export function whyNoInput(name: string, bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return "is empty. Leave it out";
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const kind = media.find(({ extensions }) => extensions.includes(extension));
  if (kind !== undefined) {
    if (kind.magic.test(Buffer.from(bytes.subarray(0, 16)).toString("latin1"))) return undefined;
    return `is named .${extension} but is not a ${kind.name}. Rename it to match its content`;
  }
  if ("text" in decodeText(name, bytes)) return undefined;
  const isMedia = media.some(({ magic }) => magic.test(Buffer.from(bytes.subarray(0, 16)).toString("latin1")));
  return isMedia
    ? "is an image or a PDF with another extension. Rename it to match its content"
    : "is neither text in UTF-8 nor PNG, JPEG, GIF, WebP or PDF. Export it as one of these, or leave it out";
}

/** The kinds of files, with the bytes that each begins with. */
const media: readonly { readonly name: string; readonly extensions: readonly string[]; readonly magic: RegExp }[] = [
  { name: "PNG", extensions: ["png"], magic: /^\x89PNG\r\n.\n/s },
  { name: "JPEG", extensions: ["jpg", "jpeg"], magic: /^\xff\xd8\xff/ },
  { name: "GIF", extensions: ["gif"], magic: /^GIF8[79]a/ },
  { name: "WebP", extensions: ["webp"], magic: /^RIFF[^]{4}WEBP/ },
  { name: "PDF", extensions: ["pdf"], magic: /^%PDF-/ },
];
