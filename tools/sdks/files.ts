/** The generated files of all SDKs, by path. */
import { goFiles } from './go.ts';
import { readSdkModel } from './model.ts';
import { pythonFiles } from './python.ts';
import { typescriptFiles } from './typescript.ts';

export function sdkFiles(): Record<string, string> {
  const model = readSdkModel();
  return {
    ...inFolder('sdks/typescript/src', typescriptFiles(model)),
    ...inFolder('sdks/python/src/watchword', pythonFiles(model)),
    ...inFolder('sdks/go', goFiles(model)),
  };
}

function inFolder(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]),
  );
}
