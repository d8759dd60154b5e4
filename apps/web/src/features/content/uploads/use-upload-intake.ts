import { useCallback, useState } from 'react'
import type { Place } from '../../../lib/file-socket.ts'
import type { Messages } from '../../../lib/messages.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useAccount } from '../../identity/auth/index.ts'
import type { SourceFile } from './source-file.ts'
import type { Sources } from './sources.ts'
import { createIgnore, rulesFor, splitBySize } from './transfer-rules.ts'
import { useUploads } from './uploads.tsx'
import { type Intake, useIntake } from './use-intake.ts'

export interface UploadIntake extends Intake {
  /** Files of the last drop or choice that the browser may not send, and why. */
  readonly refused: Refused | undefined
  forgetRefused(): void
}

export interface Refused {
  readonly folder: string
  readonly files: readonly SourceFile[]
  readonly limitBytes: number
}

const KIBIBYTE = 1024

/**
 * Ways into the queue of an account, by the rules of the account and of the group it works in.
 * @param onTaken hears of each drop that is queued; stays the same between renders
 */
export function useUploadIntake(
  place: Place,
  messages: Messages,
  onTaken: (folder: string, bytes: number) => void,
): UploadIntake {
  const engine = useUploads()
  const texts = useTexts()
  const [refused, setRefused] = useState<Refused>()
  const { user, service } = useAccount()
  const limitBytes = service.TCPFileSizeLimit * KIBIBYTE
  const take = useCallback(
    async (folder: string, sources: Sources) => {
      const rules = rulesFor(user, place.groupId)
      const ignores = await createIgnore(rules)
      const ruled = sources.files.map((file) => (ignores(file) ? { ...file, isIgnored: true } : file))
      const { fitting, tooLarge } = splitBySize(ruled, limitBytes)
      if (tooLarge.length > 0) setRefused({ folder, files: tooLarge, limitBytes })
      const count = fitting.length + sources.emptyFolders.length + sources.unreadable.length
      if (count > 0) {
        engine.add(
          place,
          folder,
          { ...sources, files: fitting },
          {
            standing: rules.transSkipSameName === 1 ? 'skip' : undefined,
          },
        )
        onTaken(folder, bytesOf(fitting))
      } else if (tooLarge.length === 0) messages.notify('info', texts('drop.nothing'))
    },
    [engine, place, messages, texts, user, limitBytes, onTaken],
  )
  return {
    ...useIntake(messages, take),
    refused,
    forgetRefused: useCallback(() => setRefused(undefined), []),
  }
}

function bytesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { file, isIgnored }) => sum + (isIgnored === true ? 0 : file.size), 0)
}
