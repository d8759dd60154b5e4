import type { TransferView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { failureText } from '../../../lib/transfer-failure.ts'
import styles from './transfers.module.css'

export interface FailedFilesProps {
  readonly transfer: TransferView
  readonly onClose: () => void
}

/** Which files of a transfer failed, and why. */
export function FailedFilesDialog({ transfer: { transferId, name, failures }, onClose }: FailedFilesProps) {
  const texts = useTexts()
  const { api } = useServices()
  const { data, error } = useQuery({
    queryKey: ['transfer-files', transferId],
    queryFn: ({ signal }) => api.call(routes.transfers.files, { params: { transferId } }, { signal }),
    gcTime: 0,
  })
  const shown = data?.files ?? []
  return (
    <Dialog
      title={texts('transfers.failed.title', { name })}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <Button kind="solid" onClick={onClose}>
          {texts('common.ok')}
        </Button>
      }
    >
      <FailureNotice failure={error} />
      {data === undefined && error === null && <p aria-busy="true">{texts('app.loading')}</p>}
      <ul className={styles['failed']}>
        {shown.map(({ path, code }, at) => (
          <li key={`${at} ${path}`}>
            <span translate="no">{path}</span>
            <small className={styles['note']}>{failureText(code, texts)}</small>
          </li>
        ))}
      </ul>
      {data !== undefined && failures > shown.length && (
        <p className={styles['note']}>{texts('transfers.failed.more', { count: failures - shown.length })}</p>
      )}
    </Dialog>
  )
}
