import type { ViewProps } from './view-props.ts'
import styles from './preview.module.css'

/** Film and sound, fetched piece by piece while they play. */
export function MediaView({ file, onBroken }: ViewProps) {
  const shared = { src: file.url, controls: true, preload: 'metadata', onError: () => onBroken() } as const
  return (
    <div className={styles['media']}>
      {file.view === 'video' ? (
        <video {...shared} poster={`${file.url}&poster=1`} playsInline aria-label={file.name} />
      ) : (
        <audio {...shared} aria-label={file.name} />
      )}
    </div>
  )
}
