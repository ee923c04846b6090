/** Puts the picture at an address of this app on the clipboard, as a PNG. */
export async function copyPicture(address: string): Promise<void> {
  // The promise is handed over unresolved: web views allow the clipboard only while a press lasts.
  await navigator.clipboard.write([new ClipboardItem({ "image/png": asPng(address) })]);
}

/** The bytes of a picture as a PNG: as they are, or drawn on a canvas when it is of another kind. */
async function asPng(address: string): Promise<Blob> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
  const bytes = await answer.blob();
  if (bytes.type === "image/png") return bytes;
  const own = URL.createObjectURL(bytes);
  try {
    return await drawn(own);
  } finally {
    URL.revokeObjectURL(own);
  }
}

async function drawn(address: string): Promise<Blob> {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("There is no canvas.");
  // Charts are drawn for white paper, and may leave it out.
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0);
  return new Promise((take, refuse) =>
    canvas.toBlob((blob) => (blob === null ? refuse(new Error("Nothing was drawn.")) : take(blob))),
  );
}
