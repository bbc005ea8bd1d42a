/** The id of a picture in its address, such as `/api/assets/<id>?width=320`. */
export const assetId = (url: string | undefined): string | undefined =>
  url?.split('/').pop()?.split('?')[0];
