import type { AdminStorage } from '@godwit/contract'
import { useTexts } from '../../../lib/texts.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { stateText } from './storage-texts.ts'

/** Whether the storage answered when it was last looked at. */
export function StorageState(storage: Pick<AdminStorage, 'error' | 'checkedAt'>) {
  const texts = useTexts()
  const tone = storage.checkedAt === null ? 'plain' : storage.error === '' ? 'good' : 'bad'
  return <Tag tone={tone}>{stateText(texts, storage)}</Tag>
}
