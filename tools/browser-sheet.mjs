/** The contact sheet of `npm run test:browser -- --sheet`: a picture of each page, light beside dark. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Bytes. A sheet is stored in the repository. */
const SIZE_MAX = 1_200_000;

/** Writes one PNG of the pictures, each a title and the files of one page. */
export async function writeSheet(
  browser,
  pictures,
  into,
  { columns = 3, width = 400, height = 281 } = {},
) {
  const cells = pictures.map(({ title, files }) => cellOf(title, files, width, height));
  const page = await browser.newPage({
    viewport: { width: columns * (pictures[0].files.length * (width + 4) + 16) + 16, height: 400 },
  });
  await page.setContent(`<style>
    body { margin: 8px; display: grid; grid-template-columns: repeat(${columns}, auto); gap: 12px 16px; font: 13px sans-serif; }
    figure { margin: 0; display: flex; flex-wrap: wrap; gap: 4px; } figcaption { width: 100%; }
    img { width: ${width}px; height: ${height}px; object-fit: cover; object-position: top; border: 1px solid #888; box-sizing: border-box; }
  </style>${cells.join('')}`);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const png = await page.screenshot({ fullPage: true });
  await page.close();
  if (png.length > SIZE_MAX)
    throw new Error(`The sheet has ${png.length} bytes, more than ${SIZE_MAX}`);
  writeFileSync(into, png);
}

function cellOf(title, files) {
  const images = files.map(
    (file) => `<img src="data:image/png;base64,${readFileSync(file, 'base64')}">`,
  );
  return `<figure><figcaption>${title}</figcaption>${images.join('')}</figure>`;
}
