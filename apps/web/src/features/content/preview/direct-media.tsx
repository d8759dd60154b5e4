import type { ViewProps } from './view-props.ts'
import styles from './preview.module.css'

interface Loaded {
  readonly hasPicture: boolean
}

/** The bytes of the file as they are. */
export function DirectMedia({ file, onBroken, onLoaded }: ViewProps & { readonly onLoaded?: (media: Loaded) => void }) {
  const shared = { src: file.url, controls: true, preload: 'metadata', onError: () => onBroken() } as const
  return (
    <div className={styles['media']}>
      {file.view === 'video' ? (
        <video
          {...shared}
          poster={posterOf(file)}
          playsInline
          aria-label={file.name}
          onLoadedMetadata={({ currentTarget }) => onLoaded?.({ hasPicture: currentTarget.videoWidth > 0 })}
        />
      ) : (
        <audio {...shared} aria-label={file.name} />
      )}
    </div>
  )
}

/** A picture of how a film begins. */
export function posterOf({ url }: ViewProps['file']): string {
  return `${url}&poster=1`
}
