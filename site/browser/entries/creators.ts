import { startCreators } from '../creators';
import { startPage } from '../start';

startPage({ isLive: false });
startCreators();
