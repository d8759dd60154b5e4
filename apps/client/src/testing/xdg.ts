import { execFileSync } from 'node:child_process'

/** @param data where a desktop finds its entries @returns which entry opens addresses of the client; '' for none */
export function handlerAmong(data: string): string {
  const none = '/nonexistent'
  const folders = { XDG_DATA_DIRS: data, XDG_DATA_HOME: none, XDG_CONFIG_DIRS: none, XDG_CONFIG_HOME: none }
  const env = { PATH: process.env['PATH'], HOME: none, XDG_CURRENT_DESKTOP: '', ...folders }
  return execFileSync('xdg-mime', ['query', 'default', 'x-scheme-handler/godwit'], { env, encoding: 'utf8' }).trim()
}
