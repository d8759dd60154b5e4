import { chmod, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { thisProgram } from '../daemon/background.ts'
import { NAUTILUS_SCRIPTS, nautilusScript, sendMenus } from '../desktop/send-menus.ts'
import { localeOf } from '../doctor/texts.ts'
import { xdgFolder } from '../profiles/places.ts'
import { writeWhole } from '../profiles/profile.ts'
import { type Context, switchIn } from './context.ts'
import { EXIT } from './transfer-output.ts'

const RUNNABLE = 0o755

/** godwit-client menu on | off: "Send with Godwit" in the file managers of this user. */
export async function menu({ words, environment, output }: Context): Promise<number> {
  const isOn = switchIn(words, 'menu')
  const data = xdgFolder(environment, 'XDG_DATA_HOME', '.local/share')
  const script = { path: NAUTILUS_SCRIPTS[localeOf(environment)], text: nautilusScript(thisProgram()) }
  const files = [...sendMenus(thisProgram()), script]
  // The one in the other language goes in any case.
  for (const path of [...files.map((file) => file.path), ...Object.values(NAUTILUS_SCRIPTS)])
    await rm(join(data, path), { force: true })
  for (const { path, text } of isOn ? files : []) {
    const file = join(data, path)
    await writeWhole(dirname(file), file, text)
    // KDE and GNOME run what the user has marked as a program.
    await chmod(file, RUNNABLE)
  }
  output.emit('menu', { isOn }, isOn ? 'File managers have "Send with Godwit".' : 'File managers have it no longer.')
  return EXIT.done
}
