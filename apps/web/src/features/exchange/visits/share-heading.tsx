import type { LinkInfo } from '@godwit/contract'
import { Download } from 'lucide-react'
import { formatMinute } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './visits.module.css'

export interface ShareHeadingProps {
  readonly info: LinkInfo
  /** A download is being prepared. */
  readonly isBusy: boolean
  /** Downloads everything; `by-file` where each file is taken by itself, undefined where the link only shows. */
  readonly onDownload: (() => void) | 'by-file' | undefined
}

/** What a download link is, until when it holds, and the button that takes all of it. */
export function ShareHeading({ info, isBusy, onDownload }: ShareHeadingProps) {
  const texts = useTexts()
  return (
    <section className={styles['hero']} aria-labelledby="share-title">
      <div className={styles['words']}>
        <h1 id="share-title" translate="no">
          {info.itemCount > 1 && info.type === 2
            ? texts('share.names', { name: info.title, count: info.itemCount - 1 })
            : info.title}
        </h1>
        <Facts info={info} />
      </div>
      {onDownload === undefined && <p className={styles['note']}>{texts('share.view-only')}</p>}
      {typeof onDownload === 'function' && (
        <Button kind="solid" size="large" disabled={isBusy} onClick={onDownload}>
          <Download size={18} aria-hidden="true" />
          {texts(info.type === 0 ? 'share.download' : 'share.download-all')}
        </Button>
      )}
    </section>
  )
}

function Facts({ info }: { readonly info: LinkInfo }) {
  const texts = useTexts()
  const { description, shareExpireTime, downloadsLeft } = info
  return (
    <>
      {description !== '' && <p className={styles['description']}>{description}</p>}
      <p className={styles['note']} data-local={shareExpireTime !== 0 || undefined}>
        {shareExpireTime === 0
          ? texts('share.never-expires')
          : texts('share.expires', { time: formatMinute(shareExpireTime) })}
        {downloadsLeft !== null && ` · ${texts('share.downloads-left', { count: downloadsLeft })}`}
      </p>
    </>
  )
}
