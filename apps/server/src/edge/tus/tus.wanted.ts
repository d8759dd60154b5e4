import { conflictPolicy, LIMITS } from '@godwit/contract'
import type { WantedUpload } from '../../content/intake/index.ts'
import { AppError } from '../../kernel/errors.ts'

export interface TusCreation {
  readonly metadata: ReadonlyMap<string, string>
  /** Upload-Metadata as it came, for HEAD. */
  readonly header: string
  readonly size: number | null
  readonly kind: 'single' | 'partial' | 'final'
  readonly newId: () => string
}

const CARRIERS = { single: 'tus', partial: 'tus-partial', final: 'tus-final' } as const

/**
 * What the metadata asks for: `filename, folder, relativePath, spaceId, groupId, sha256, conflict, lastModified`.
 * An upload without a name gets one of its own.
 * @throws AppError PARAMETER_INVALID naming the key
 */
export function wantedFrom({ metadata, header, size, kind, newId }: TusCreation): WantedUpload {
  const name = metadata.get('filename') ?? metadata.get('name') ?? ''
  const isNameless = name === '' || kind === 'partial'
  return {
    folder: metadata.get('folder') || '/',
    filename: isNameless ? `upload-${newId()}` : name,
    relativePath: kind === 'partial' ? undefined : presentText(metadata.get('relativePath')),
    spaceId: numberIn(metadata, 'spaceId', LIMITS.defaultSpaceId),
    groupId: numberIn(metadata, 'groupId', LIMITS.defaultGroupId),
    conflict: conflictIn(metadata),
    lastModified: numberIn(metadata, 'lastModified', 0),
    sha256: kind === 'partial' ? undefined : sha256In(metadata),
    size,
    resume: false,
    carrier: CARRIERS[kind],
    metadata: header,
  }
}

/** Uppy sends the word `null` for a file that came without a folder. */
function presentText(value: string | undefined): string | undefined {
  return value === 'null' || value === '' ? undefined : value
}

function numberIn(metadata: ReadonlyMap<string, string>, key: string, otherwise: number): number {
  const text = presentText(metadata.get(key))
  if (text === undefined) return otherwise
  if (!/^\d{1,15}$/.test(text)) throw new AppError('PARAMETER_INVALID', { field: key })
  return Number(text)
}

function conflictIn(metadata: ReadonlyMap<string, string>): WantedUpload['conflict'] {
  const parsed = conflictPolicy.safeParse(presentText(metadata.get('conflict')) ?? 'fail')
  if (!parsed.success) throw new AppError('PARAMETER_INVALID', { field: 'conflict' })
  return parsed.data
}

function sha256In(metadata: ReadonlyMap<string, string>): string | undefined {
  const text = presentText(metadata.get('sha256'))?.toLowerCase()
  if (text !== undefined && !/^[0-9a-f]{64}$/.test(text)) throw new AppError('PARAMETER_INVALID', { field: 'sha256' })
  return text
}
