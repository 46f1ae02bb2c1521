/** Loaded after the page is there: the chart's library is as large as all of the page. */
export { Chart } from '@palyra/ui';
