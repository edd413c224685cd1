/** Checks the types of apps/web, whose packages are its own, where they are installed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const home = join(import.meta.dirname, '../apps/web');

// npm start installs what the build needs, which is neither the compiler nor the generator of types.
if (existsSync(join(home, 'node_modules/openapi-typescript'))) {
  const { status } = spawnSync('npm', ['run', '--silent', 'check'], {
    cwd: home,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  console.log('The types of apps/web are not checked: run npm ci in apps/web first.');
}
