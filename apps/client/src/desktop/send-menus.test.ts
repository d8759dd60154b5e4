import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { nautilusScript, sendMenus } from './send-menus.ts'

describe('the menus of file managers', () => {
  it('call the client with the files behind all options', () => {
    const menus = new Map(sendMenus(['/usr/bin/godwit-client']).map(({ path, text }) => [path, text]))
    const execOf = (path: string): string | undefined => /^Exec=(.*)$/m.exec(menus.get(path) ?? '')?.[1]
    expect(execOf('kio/servicemenus/godwit-client.desktop')).toBe('/usr/bin/godwit-client send -- %F')
    expect(execOf('Thunar/sendto/godwit-client.desktop')).toBe('/usr/bin/godwit-client send -- %F')
    expect(execOf('nemo/actions/godwit-client.nemo_action')).toBe('/usr/bin/godwit-client send -- %U')
    for (const text of menus.values()) expect(text).toMatch(/^Icon(-Name)?=document-send$/m)
  })

  it('find a client whose path has any signs', () => {
    const script = nautilusScript(['/opt/it\'s "here" $x/echo'])
    const run = script.replace("'/opt/it'", 'printf "%s|" \'/opt/it\'')
    const words = execFileSync('/bin/sh', ['-c', run, 'script', '-a b', 'c\nd'], { encoding: 'utf8' })
    expect(words).toBe('/opt/it\'s "here" $x/echo|send|--|-a b|c\nd|')
  })
})
