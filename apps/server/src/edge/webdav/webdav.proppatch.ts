import { KiB } from '@godwit/base'
import { changeProperties } from '../../content/properties/index.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { answerXml } from './webdav.answers.ts'
import { bodyXml } from './webdav.bodies.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import { foundAt, requirePlace, targetAt, type Asked } from './webdav.entries.ts'
import { requireConditions } from './webdav.conditions.ts'
import { hrefOf } from './webdav.paths.ts'
import { emptyElement, propstat } from './webdav.propfind.ts'
import { elementsIn, escapeXml, splitName, writeXml, type XmlElement } from '../../kernel/xml.ts'

interface Patch {
  readonly name: string
  /** undefined removes it. */
  readonly xml: string | undefined
}

/** What one entry may keep. */
const PROPERTIES_MAX_BYTES = 64 * KiB

/** All changes are made, or none. @throws AppError, Refusal */
export async function proppatch(deps: WebdavDeps, asked: Asked, { req, res, body }: RawExchange): Promise<void> {
  const xml = await bodyXml(req, body)
  if (xml?.name !== '{DAV:}propertyupdate') throw new AppError('PARAMETER_INVALID', { field: 'body' })
  const patches = patchesIn(xml)
  const node = requirePlace(asked)
  const isRoot = node.below.length === 0
  const found = isRoot
    ? await foundAt(deps, asked.ctx, node, 'uploadFile')
    : (await targetAt(deps, asked.ctx, node)).found
  if (found === undefined) throw new AppError('PATH_NOT_FOUND')
  const { location } = found
  await requireConditions(deps, asked, req, {
    spaceId: location.place.spaceId,
    etag: found.entry.etag,
    changes: [{ key: location.key, what: 'content' }],
  })
  const isProtected = patches.some(({ name }) => splitName(name)[0] === 'DAV:')
  if (!isProtected) {
    await changeProperties(deps, {
      spaceId: location.place.spaceId,
      key: location.key,
      at: deps.clock.now(),
      change: (before) => patched(before, patches),
    })
  }
  const href = escapeXml(hrefOf(asked.names, found.entry.kind === 'folder'))
  const content = `<D:multistatus xmlns:D="DAV:"><D:response><D:href>${href}</D:href>${results(patches, isProtected)}</D:response></D:multistatus>`
  answerXml(res, { status: 207, content })
}

function patchesIn(root: XmlElement): Patch[] {
  return elementsIn(root).flatMap((part) => {
    const isSet = part.name === '{DAV:}set'
    if (!isSet && part.name !== '{DAV:}remove') return []
    const properties = elementsIn(part).filter(({ name }) => name === '{DAV:}prop')
    return properties.flatMap((list) =>
      elementsIn(list).map((property) => ({ name: property.name, xml: isSet ? kept(property) : undefined })),
    )
  })
}

/** The language around an element goes with it (RFC 4918 §4.3). */
function kept(property: XmlElement): string {
  const lang = '{http://www.w3.org/XML/1998/namespace}lang'
  const hasOwn = property.attributes.some(([name]) => name === lang)
  if (hasOwn || property.language === undefined) return writeXml(property)
  return writeXml({ ...property, attributes: [...property.attributes, [lang, property.language]] })
}

/** @throws AppError QUOTA_EXCEEDED for more than an entry may keep */
function patched(before: Readonly<Record<string, string>>, patches: readonly Patch[]): Record<string, string> {
  const after = new Map(Object.entries(before))
  for (const { name, xml } of patches) {
    if (xml === undefined) after.delete(name)
    else after.set(name, xml)
  }
  const properties = Object.fromEntries(after)
  if (Buffer.byteLength(JSON.stringify(properties)) > PROPERTIES_MAX_BYTES) throw new AppError('QUOTA_EXCEEDED')
  return properties
}

function results(patches: readonly Patch[], isProtected: boolean): string {
  const names = [...new Set(patches.map(({ name }) => name))]
  if (!isProtected) return propstat(names.map(emptyElement), 200)
  const live = names.filter((name) => splitName(name)[0] === 'DAV:')
  const others = names.filter((name) => splitName(name)[0] !== 'DAV:')
  const error = '<D:error><D:cannot-modify-protected-property/></D:error>'
  return (
    propstat(live.map(emptyElement), 403, error) + (others.length > 0 ? propstat(others.map(emptyElement), 424) : '')
  )
}
