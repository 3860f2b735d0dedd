import '../../examples/custom-facilitator/facilitator.test';
