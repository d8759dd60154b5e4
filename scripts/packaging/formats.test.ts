import { describe, expect, it } from 'vitest'
import { bundleFacts, installerScript } from './formats.ts'

const facts = { tree: '/tree', work: '/work', result: '/result', version: '1.2.3', isQuick: true }

describe('addresses of the client', () => {
  it('are opened on Windows by the runtime itself, as one word behind the options, until that installation goes', () => {
    const script = installerScript(facts)
    const [added, removed] = script.join('\n').split('Section Uninstall')
    const command = String.raw`"$INSTDIR\node.exe" --max-semi-space-size=4 --single-threaded-gc "$INSTDIR\app\godwit-client.js" open -- "%1"`
    expect(added).toContain(String.raw`WriteRegStr HKCU "Software\Classes\godwit" "URL Protocol" ""`)
    expect(added).toContain(String.raw`WriteRegStr HKCU "Software\Classes\godwit\shell\open\command" "" '${command}'`)
    expect(removed).toContain(
      [
        String.raw`ReadRegStr $0 HKCU "Software\Classes\godwit\shell\open\command" ""`,
        `StrCmp $0 '${command}' 0 +2`,
        String.raw`DeleteRegKey HKCU "Software\Classes\godwit"`,
      ].join('\n'),
    )
  })

  it('are named by the application of macOS', () => {
    expect(bundleFacts(facts)).toMatch(
      /<key>CFBundleURLTypes<\/key><array><dict>.*<key>CFBundleURLSchemes<\/key><array><string>godwit<\/string><\/array><\/dict><\/array>/,
    )
  })
})
