import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import { DirectMedia } from './direct-media.tsx'
import { Opening } from './opening.tsx'
import type { ViewProps } from './view-props.ts'

const film = lazyModule(() => import('./film/film-view.tsx'))
const FilmView = lazyPart(film, (module) => module.FilmView, <Opening />)

/** Film and sound, fetched piece by piece while they play; as the server makes them playable where it can. */
export function MediaView(props: ViewProps) {
  return props.file.hasStream ? <FilmView {...props} /> : <DirectMedia {...props} />
}
