import { constants, createReadStream, createWriteStream } from 'node:fs'
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { CLIENT_SCHEME } from '@godwit/contract'
import { menuEntry } from '../../apps/client/src/desktop/desktop-entry.ts'
import { sendMenus } from '../../apps/client/src/desktop/send-menus.ts'
import { runTool } from './run-tool.ts'

export interface PackageFacts {
  /** What {@link layOut} has made. */
  readonly tree: string
  /** Is made anew. */
  readonly work: string
  readonly result: string
  readonly version: string
  /** Quick and large, for tests. */
  readonly isQuick: boolean
}

const NAME = 'godwit-client'
const HOME = '/usr/lib/godwit-client'
const SUMMARY = 'Sends and receives the files of a Godwit server at line speed'
/** The options bound what the runtime keeps for new objects; the same as in the first line of bin/godwit-client.ts. */
const OPTIONS = '--max-semi-space-size=4 --single-threaded-gc'

/**
 * Its place in the menu of a desktop, which takes `godwit://` addresses as well. The package managers themselves run
 * update-desktop-database for this folder, where it is installed.
 */
const MENU = `/usr/share/applications/${NAME}.desktop`

/** "Send with Godwit" in the menus of file managers. */
const SEND_MENUS = sendMenus([`/usr/bin/${NAME}`]).map(({ path, text }) => ({ file: `/usr/share/${path}`, text }))

/** Where `man` finds the page of the client. */
const MANUAL = `/usr/share/man/man1/${NAME}.1.gz`

/** What Linux packages install: the tree, a program in the search path, its manual page, and its entries in menus. */
async function linuxRoot({ tree, work }: PackageFacts): Promise<string> {
  const root = join(work, 'root')
  await mkdir(join(root, 'usr/bin'), { recursive: true })
  await mkdir(join(root, 'usr/lib'), { recursive: true })
  await cp(tree, join(root, HOME), { recursive: true })
  const launcher = join(root, 'usr/bin', NAME)
  await writeFile(launcher, `#!/bin/sh\nexec ${HOME}/node ${OPTIONS} ${HOME}/app/${NAME}.js "$@"\n`)
  await chmod(launcher, 0o755)
  for (const file of [MANUAL, MENU]) await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, MENU), menuEntry([`/usr/bin/${NAME}`]))
  for (const { file, text } of SEND_MENUS) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  const manual = await runTool(join(tree, 'node'), [join(tree, `app/${NAME}.js`), 'man'])
  await writeFile(join(root, MANUAL), gzipSync(manual, { level: 9 }))
  return root
}

export async function makeDeb(facts: PackageFacts): Promise<void> {
  const root = await linuxRoot(facts)
  await mkdir(join(root, 'DEBIAN'))
  const control = [
    `Package: ${NAME}`,
    `Version: ${facts.version}`,
    'Architecture: amd64',
    'Maintainer: Godwit <godwit@localhost>',
    'Depends: libc6 (>= 2.28), libstdc++6',
    'Section: net',
    'Priority: optional',
    `Description: ${SUMMARY}`,
  ]
  await writeFile(join(root, 'DEBIAN/control'), `${control.join('\n')}\n`)
  const compression = facts.isQuick ? ['-Zgzip', '-z1'] : ['-Zxz']
  await runTool('dpkg-deb', ['--root-owner-group', ...compression, '--build', root, facts.result])
}

export async function makeRpm(facts: PackageFacts): Promise<void> {
  const root = await linuxRoot(facts)
  const spec = join(facts.work, `${NAME}.spec`)
  // What is in the tree stays as it is: nothing is stripped, and no dependency is guessed from it.
  const lines = [
    '%global debug_package %{nil}',
    '%global __os_install_post %{nil}',
    '%global _build_id_links none',
    `%global _binary_payload ${facts.isQuick ? 'w1.gzdio' : 'w19.zstdio'}`,
    `Name: ${NAME}`,
    `Version: ${facts.version}`,
    'Release: 1',
    `Summary: ${SUMMARY}`,
    'License: Apache-2.0',
    'AutoReqProv: no',
    'Requires: glibc >= 2.28, libstdc++',
    '%description',
    SUMMARY,
    '%install',
    `mkdir -p %{buildroot} && cp -a ${root}/. %{buildroot}/`,
    '%files',
    '%defattr(-,root,root,-)',
    HOME,
    `/usr/bin/${NAME}`,
    MANUAL,
    MENU,
    ...SEND_MENUS.map(({ file }) => file),
  ]
  await writeFile(spec, `${lines.join('\n')}\n`)
  const place = ['--define', `_topdir ${join(facts.work, 'rpm')}`, '--define', '_rpmfilename result.rpm']
  await runTool('rpmbuild', ['-bb', '--target', 'x86_64', ...place, spec])
  await cp(join(facts.work, 'rpm/RPMS/result.rpm'), facts.result)
}

/**
 * A folder that a person unpacks anywhere and may move. Its versions stand beside each other, so that a new one is whole before it
 * takes over; `current` names the one that runs.
 */
export async function makeTgz({ tree, work, result, version, isQuick }: PackageFacts): Promise<void> {
  const root = join(work, NAME)
  const versions = join(root, 'versions')
  await mkdir(versions, { recursive: true })
  await cp(tree, join(versions, version), { recursive: true, mode: constants.COPYFILE_FICLONE })
  await writeFile(join(root, 'current'), `${version}\n`)
  const launcher = join(root, NAME)
  const lines = [
    '#!/bin/sh',
    '# A menu may know it by a link.',
    'here="$0"',
    'while [ -h "$here" ]; do',
    '  next="$(readlink "$here")"',
    '  case "$next" in /*) here="$next" ;; *) here="$(dirname "$here")/$next" ;; esac',
    'done',
    'here="$(cd "$(dirname "$here")" && pwd)"',
    'read -r version < "$here/current"',
    `exec "$here/versions/$version/node" ${OPTIONS} "$here/versions/$version/app/${NAME}.js" "$@"`,
  ]
  await writeFile(launcher, `${lines.join('\n')}\n`)
  await chmod(launcher, 0o755)
  const whole = join(work, 'package.tar')
  const plain = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar']
  await runTool('tar', ['-C', work, ...plain, '-cf', whole, NAME])
  const gzip = createGzip({ level: isQuick ? 1 : 9 })
  await pipeline(createReadStream(whole), gzip, createWriteStream(result))
  await rm(whole)
}

export async function makeExe(facts: PackageFacts): Promise<void> {
  const launcher = join(facts.tree, `${NAME}.cmd`)
  await writeFile(launcher, `@"%~dp0node.exe" ${OPTIONS} "%~dp0app\\${NAME}.js" %*\r\n`)
  const script = join(facts.work, 'installer.nsi')
  await writeFile(script, `${installerScript(facts).join('\n')}\n`)
  await runTool('makensis', ['-V2', script])
}

/** Where Windows looks up who handles `godwit://`: for one user, as the whole installation is. */
const SCHEME_KEY = `Software\\Classes\\${CLIENT_SCHEME}`
/** The runtime itself and not the command file, whose shell would read signs of the address as its own. */
const SCHEME_COMMAND = `"$INSTDIR\\node.exe" ${OPTIONS} "$INSTDIR\\app\\${NAME}.js" open -- "%1"`

/** For makensis. */
export function installerScript(facts: PackageFacts): readonly string[] {
  return [
    'Unicode true',
    facts.isQuick ? 'SetCompressor zlib' : 'SetCompressor /SOLID lzma',
    `Name "Godwit Client ${facts.version}"`,
    `OutFile "${facts.result}"`,
    'RequestExecutionLevel user',
    'InstallDir "$LOCALAPPDATA\\Programs\\Godwit Client"',
    'Page directory',
    'Page instfiles',
    'UninstPage uninstConfirm',
    'UninstPage instfiles',
    'Section',
    'SetOutPath "$INSTDIR"',
    `File /r "${facts.tree}/*"`,
    'WriteUninstaller "$INSTDIR\\uninstall.exe"',
    'CreateDirectory "$SMPROGRAMS\\Godwit Client"',
    `CreateShortcut "$SMPROGRAMS\\Godwit Client\\Start Godwit Client.lnk" "$INSTDIR\\${NAME}.cmd" "start"`,
    'CreateShortcut "$SMPROGRAMS\\Godwit Client\\Uninstall.lnk" "$INSTDIR\\uninstall.exe"',
    `WriteRegStr HKCU "${SCHEME_KEY}" "" "URL:Godwit Client"`,
    `WriteRegStr HKCU "${SCHEME_KEY}" "URL Protocol" ""`,
    String.raw`WriteRegStr HKCU "${SCHEME_KEY}\shell\open\command" "" '${SCHEME_COMMAND}'`,
    'SectionEnd',
    'Section Uninstall',
    // Another installation may have taken the addresses over.
    String.raw`ReadRegStr $0 HKCU "${SCHEME_KEY}\shell\open\command" ""`,
    `StrCmp $0 '${SCHEME_COMMAND}' 0 +2`,
    `DeleteRegKey HKCU "${SCHEME_KEY}"`,
    'RMDir /r "$SMPROGRAMS\\Godwit Client"',
    // Never the whole folder, which a person may have chosen and filled with other things.
    'RMDir /r "$INSTDIR\\app"',
    ...['node.exe', 'LICENSE', 'LICENSE-node', `${NAME}.cmd`, 'uninstall.exe'].map(
      (file) => `Delete "$INSTDIR\\${file}"`,
    ),
    'RMDir "$INSTDIR"',
    'SectionEnd',
  ]
}

/** An image with an application that a person drags into Applications. It is not compressed. */
export async function makeDmg(facts: PackageFacts): Promise<void> {
  const root = join(facts.work, 'image')
  const contents = join(root, 'Godwit Client.app/Contents')
  await mkdir(join(contents, 'MacOS'), { recursive: true })
  await cp(facts.tree, join(contents, 'Resources'), { recursive: true })
  const launcher = join(contents, 'MacOS', NAME)
  const lines = [
    '#!/bin/sh',
    'here="$(cd "$(dirname "$0")/../Resources" && pwd)"',
    // From Finder, and for an address: macOS does not hand that to a script.
    '[ $# -gt 0 ] || set -- open',
    `exec "$here/node" ${OPTIONS} "$here/app/${NAME}.js" "$@"`,
  ]
  await writeFile(launcher, `${lines.join('\n')}\n`)
  await chmod(launcher, 0o755)
  await writeFile(join(contents, 'Info.plist'), bundleFacts(facts))
  await rm(facts.result, { force: true })
  const image = ['-as', 'mkisofs', '-quiet', '-V', 'Godwit Client', '-hfsplus', '-R', '-o', facts.result, root]
  await runTool('xorriso', image)
}

/** Info.plist of the application. */
export function bundleFacts({ version }: Pick<PackageFacts, 'version'>): string {
  const entry = (key: string, value: string): string => `<key>${key}</key><string>${value}</string>`
  const schemes = `<key>CFBundleURLSchemes</key><array><string>${CLIENT_SCHEME}</string></array>`
  const entries = [
    entry('CFBundleExecutable', NAME),
    entry('CFBundleIdentifier', 'org.godwit.client'),
    entry('CFBundleName', 'Godwit Client'),
    entry('CFBundlePackageType', 'APPL'),
    entry('CFBundleShortVersionString', version),
    `<key>CFBundleURLTypes</key><array><dict>${entry('CFBundleURLName', 'Godwit Client')}${schemes}</dict></array>`,
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>${entries.join('')}</dict></plist>\n`
}
