/** The build without what these streams do not have (captions, other languages, encryption); it comes without types of its own. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
