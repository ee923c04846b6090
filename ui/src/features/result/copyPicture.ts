/** Puts the picture at an address of this app on the clipboard, as a PNG. */
export async function copyPicture(address: string): Promise<void> {
  const picture = fetch(address).then((answer) => answer.blob());
  // The promise is handed over unresolved: web views allow the clipboard only while a press lasts.
  await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
}
