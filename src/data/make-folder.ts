import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it, and returns the outermost one that it made, if any. (Node's own recursive `mkdir`
 * tries for ever where the kernel says ENOENT of a folder that cannot be made, as below /proc, and says ENOENT itself
 * where a file system is read-only.) Throws an error for a person that names what cannot be made, and why.
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let path = resolve(folder); !(await isThere(path)); path = dirname(path)) missing.unshift(path);
  for (const path of missing) await makeOne(path);
  if (!(await stat(folder)).isDirectory()) throw new Error(`EEXIST: ${folder} is there, and is no folder.`);
  return missing[0];
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    // Another process was faster.
    if (code === 'EEXIST') return;
    const above = dirname(path);
    const reasons: Readonly<Record<string, string>> = {
      EROFS: `the file system of ${above} is read-only`,
      ENOENT: `${above} takes no folders`,
    };
    throw new Error(`The folder ${path} cannot be made: ${reasons[code ?? ''] ?? message}.`, { cause });
  }
}
